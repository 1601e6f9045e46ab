import { once } from 'node:events';
import { connect } from 'node:net';
import { inject } from 'vitest';
import { type Answer, answerCheckOf } from './call.ts';
import type { ServerName } from './start-server.ts';

/** Writes bytes to a server's socket and reads the answer until the server closes: for what no HTTP client would send. */
export async function sendBytes(server: ServerName, bytes: string): Promise<Answer> {
  const url = new URL(inject('servers').urls[server]);
  const socket = connect(Number(url.port), url.hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = Promise.race([once(socket, 'end'), once(socket, 'error')]);
  const deadline = setTimeout(() => socket.destroy(new Error('The server neither answers nor closes.')), 10_000);
  socket.write(bytes);
  await ended;
  clearTimeout(deadline);
  socket.destroy();
  const answer = parseAnswer(Buffer.concat(chunks).toString());
  // Whatever the request was, the contract knows no such path: only a problem will do.
  (await answerCheckOf(server, url))({ method: 'GET', path: '/not-a-request', ...answer });
  return answer;
}

function parseAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: JSON.parse(body) };
}
