/** As much of curl as the summary of the start command uses, for machines that have none. */
const options = { body: [] as string[], headers: {} as Record<string, string>, isGet: false, url: '' };
const args = process.argv.slice(2);
for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (arg === '-H') {
    const [name = '', ...value] = (args.shift() ?? '').split(':');
    options.headers[name] = value.join(':').trim();
  } else if (arg === '-d') options.body.push(args.shift() ?? '');
  else if (!arg.startsWith('-')) options.url = arg;
  else if (!/^-[sSG]+$/.test(arg)) throw new Error(`What does ${arg} mean?`);
  else options.isGet ||= arg.includes('G');
}
const { body, headers, isGet, url } = options;
const data = body.join('&');
const response = isGet
  ? await fetch(data === '' ? url : `${url}?${data}`, { headers })
  : await fetch(url, data === '' ? { headers } : { method: 'POST', headers, body: new URLSearchParams(data) });
process.stdout.write(await response.text());
