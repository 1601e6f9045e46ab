// A relay that passes the bytes of each connection to one upstream and back, and reads none of them.
import { connect, createServer } from 'node:net';

const [port, upstream] = process.argv.slice(2);
createServer((client) => {
  const other = connect(Number(upstream), '127.0.0.1');
  client.on('error', () => other.destroy()).pipe(other);
  other.on('error', () => client.destroy()).pipe(client);
}).listen(Number(port), '127.0.0.1');
