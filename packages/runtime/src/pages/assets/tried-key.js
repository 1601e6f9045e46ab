/** The key that was tried, in this variable and nowhere else. */
let tried = '';
const listeners = [];

export function triedKey() {
  return tried;
}

export function setTriedKey(key) {
  tried = key;
  for (const listener of listeners) listener();
}

export function onTriedKey(listener) {
  listeners.push(listener);
}
