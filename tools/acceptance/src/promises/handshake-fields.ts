/** The header fields of a valid WebSocket handshake. */
export const handshakeFields: readonly string[] = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

/** The value of Sec-WebSocket-Accept that accepts it. */
export const handshakeAccept = 'ICX+Yqv66kxgM0FcWaLWlFLwTAI=';
