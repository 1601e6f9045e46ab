// A sample API, in place of yours: it checks neither keys nor input. The gateway does.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const orders: object[] = [{ id: 1, item: 'lamp', count: 2 }];

createServer(async (request, response) => {
  response.setHeader('Content-Type', 'application/json');
  if (request.method === 'POST') {
    const order = { id: orders.length + 1, ...((await json(request)) as object) };
    orders.push(order);
    response.writeHead(201).end(JSON.stringify(order));
  } else {
    response.end(JSON.stringify(orders));
  }
}).listen(9000, '127.0.0.1');
