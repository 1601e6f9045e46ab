import { operationsOf, readContract, repairAsDrawn } from './contract-page.js';
import { showInParts } from './part-chooser.js';

/* Starts ReDoc on this server's document, in the system's colour scheme. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const root = getComputedStyle(document.documentElement);
const fonts = root.getPropertyValue('--sans');
const mono = root.getPropertyValue('--mono');
const typography = {
  fontFamily: fonts,
  headings: { fontFamily: fonts },
  code: { fontFamily: mono },
};

const light = {
  typography: { ...typography, code: { fontFamily: mono, color: '#a3201d' } },
  colors: { primary: { main: '#0b5cad' } },
  rightPanel: { backgroundColor: '#1d2731' },
};

const night = {
  typography: {
    ...typography,
    code: { fontFamily: mono, color: '#ff9d8a', backgroundColor: '#2a323b' },
    links: { color: '#7cb8f5', visited: '#7cb8f5', hover: '#a9d1fa' },
  },
  colors: {
    primary: { main: '#7cb8f5' },
    success: { main: '#5fbf77' },
    warning: { main: '#e0b250' },
    error: { main: '#ff8a80' },
    gray: { 50: '#20272e', 100: '#2a323b' },
    text: { primary: '#e6ebf0', secondary: '#b6c0ca' },
    border: { dark: '#46515d', light: '#333c46' },
    responses: {
      success: { color: '#7fd695', backgroundColor: '#1d2d23', tabTextColor: '#7fd695' },
      error: { color: '#ff9d95', backgroundColor: '#352325', tabTextColor: '#ff9d95' },
      redirect: { color: '#e6c878', backgroundColor: '#322c1e', tabTextColor: '#e6c878' },
      info: { color: '#8fc3f5', backgroundColor: '#1e2a36', tabTextColor: '#8fc3f5' },
    },
  },
  schema: { nestedBackground: '#20272e', typeNameColor: '#b6c0ca', typeTitleColor: '#b6c0ca', linesColor: '#46515d' },
  sidebar: { backgroundColor: '#161b21', textColor: '#d5dbe1' },
  rightPanel: { backgroundColor: '#11161b', textColor: '#e6ebf0' },
  codeBlock: { backgroundColor: '#0b0f13' },
};

let shown;

function show(contract) {
  shown = contract;
  document.documentElement.classList.toggle('dark-mode', dark.matches);
  // A new element each time, as ReDoc does not change the colours of an existing one.
  const page = document.createElement('main');
  page.id = 'page';
  page.tabIndex = -1;
  document.getElementById('page').replaceWith(page);
  globalThis.Redoc.init(
    contract,
    {
      theme: dark.matches ? night : light,
      downloadUrls: [{ title: 'Download', url: 'openapi.json' }],
      scrollYOffset: 0,
    },
    page,
  );
  repairAsDrawn(page, (root) => {
    // Scrollable blocks must be reachable by keyboard.
    for (const block of root.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
  });
}

readContract(async (contract) => {
  // Without the samples, the page is whole.
  const url = new URL('redoc/code-samples.js', document.baseURI);
  const { default: samples } = await import(url.href).catch(() => ({ default: [] }));
  addSamples(contract, new Map(samples));
  showInParts(contract, show);
});

/** Adds calls in several languages to the operations, at the origin of this page. */
function addSamples(contract, samples) {
  const origin = new URL('.', document.baseURI).href.replace(/\/$/, '');
  for (const { operation } of operationsOf(contract)) {
    operation['x-codeSamples'] ??= samples
      .get(operation.operationId)
      ?.map((sample) => ({ ...sample, source: sample.source.replaceAll('{origin}', origin) }));
  }
}

dark.addEventListener('change', () => {
  if (shown !== undefined) show(shown);
});
