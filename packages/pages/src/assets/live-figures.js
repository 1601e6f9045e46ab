import { element, setText } from './dom.js';
import { figuresBetween, linePath, roundUp } from './figures.js';
import { onTriedKey, triedKey } from './key-tester.js';
import { ask, delayAfter, requestsAsked } from './quota.js';

const spanSeconds = 180;
const usualDelayMs = 2_000;

/** A chart starts with a short time span and widens with its data. */
const spans = [
  { seconds: 30, text: 'last 30 s' },
  { seconds: 60, text: 'last minute' },
  { seconds: spanSeconds, text: 'last 3 min' },
];

const charts = [
  { id: 'rate', lines: ['rate'], least: 1, unit: 'per second' },
  { id: 'errors', lines: ['errors'], least: 1, unit: 'percent' },
  { id: 'latency', lines: ['p50', 'p95'], least: 1, unit: 'ms' },
];

/** Polls /metrics while the page is visible, and draws the changes between readings. */
export function startLiveFigures() {
  const block = document.getElementById('figures');
  if (block === null) return;
  const state = document.getElementById('figures-state');
  const pause = document.getElementById('figures-pause');
  const needsKey = 'needsKey' in block.dataset;
  let [timer, before, isReading, isPaused] = [undefined, undefined, false, false];
  let samples = [];

  const read = async () => {
    clearTimeout(timer);
    if (document.hidden || isPaused || isReading) return;
    if (needsKey && triedKey() === '') {
      setText(state, 'Metrics need a key: check one above.');
      return;
    }
    isReading = true;
    const reading = await readMetrics(block.dataset.source, needsKey ? triedKey() : '');
    isReading = false;
    if (isPaused) return;
    const { delayMs = usualDelayMs } = reading;
    if ('metrics' in reading) {
      const { metrics, asked } = reading;
      const figures = before && figuresBetween(before.metrics, metrics, asked - before.asked);
      // After a restart or a long pause the charts start again.
      if (figures === undefined || metrics.uptime_seconds - before.metrics.uptime_seconds > spanSeconds) samples = [];
      else samples = [...samples, { at: metrics.uptime_seconds, ...figures }];
      samples = samples.filter(({ at }) => metrics.uptime_seconds - at < spanSeconds);
      before = reading;
      drawCharts(samples, metrics.uptime_seconds);
      showRoutes(metrics.endpoints);
    }
    setText(
      state,
      reading.message ?? `Refreshes every ${delayMs / 1000} s${delayMs > usualDelayMs ? ' to save your quota' : ''}`,
    );
    if (!reading.isFinal) timer = setTimeout(read, delayMs);
  };

  pause.hidden = false;
  pause.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', String(isPaused));
    if (isPaused) setText(state, 'Paused');
    read();
  });
  document.addEventListener('visibilitychange', read);
  onTriedKey(() => {
    if (needsKey) read();
  });
  read();
}

async function readMetrics(source, key) {
  try {
    const headers = key === '' ? {} : { 'X-API-Key': key };
    const response = await ask(source, { Accept: 'application/json', ...headers });
    // The server counts this request only after it has answered it.
    const asked = requestsAsked() - 1;
    const body = await response.json();
    const delayMs = delayAfter(response);
    if (response.ok) return { metrics: body, asked, delayMs };
    if (response.status === 429) return { message: `Waiting: ${body.detail}`, delayMs };
    const isFinal = response.status < 500;
    return { message: `Cannot read the metrics: ${body.detail ?? body.title ?? response.status}`, isFinal };
  } catch {
    return { message: 'Unreachable; retrying' };
  }
}

function drawCharts(samples, now) {
  const isBusy = samples.some(({ rate }) => rate > 0);
  document.getElementById('charts').hidden = !isBusy;
  document.getElementById('figures-empty').hidden = isBusy || samples.length === 0;
  const since = now - (samples[0]?.at ?? now);
  const span = spans.find(({ seconds }) => seconds >= since) ?? spans.at(-1);
  for (const { id, lines, least, unit } of charts) {
    const chart = document.getElementById(`chart-${id}`);
    const peak = Math.max(0, ...samples.flatMap((sample) => lines.map((line) => sample[line] ?? 0)));
    const max = roundUp(peak, least);
    const spoken = lines.map((line) => {
      const value = samples.at(-1)?.[line];
      const text = value === undefined || value === null ? '–' : numberText(value);
      const reading = chart.querySelector(`.value.${line}`);
      setText(reading, text);
      reading.classList.toggle('empty', text === '–');
      const points = samples.map((sample) => ({ at: sample.at, value: sample[line] }));
      chart.querySelector(`.line.${line}`).setAttribute('d', linePath(points, { now, span: span.seconds, max }));
      return `${lines.length > 1 ? `${line} ` : ''}${text === '–' ? 'no data' : text}`;
    });
    const title = chart.querySelector('h3').textContent;
    setText(chart.querySelector('.peak'), `peak ${numberText(peak)}`);
    setText(chart.querySelector('.span'), span.text);
    chart
      .querySelector('svg')
      .setAttribute(
        'aria-label',
        `${title}, ${unit}: ${spoken.join(', ')} now; peak ${numberText(peak)} in the ${span.text}`,
      );
  }
}

function showRoutes(endpoints) {
  const block = document.getElementById('figures-routes');
  const rows = Object.entries(endpoints).map(([route, { count, error_rate, average_time }]) => [
    route,
    numberText(count),
    `${numberText(100 * error_rate)} %`,
    `${numberText(1000 * average_time)} ms`,
  ]);
  block.hidden = rows.length === 0;
  if (!block.open) return;
  block.querySelector('tbody').replaceChildren(...rows.map(createRow));
}

function createRow(texts) {
  const [route, ...figures] = texts;
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, route),
    figures.map((text) => element('td', {}, text)),
  );
}

function numberText(value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
