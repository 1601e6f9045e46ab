/**
 * Lets the logins of one address pass one by one: each is admitted only once the failures before it have been counted,
 * so that many guesses sent at once are worth no more than as many in a row.
 */
export function createLoginTurns(): <T>(address: string, logIn: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (address, logIn) => {
    const before = last.get(address) ?? Promise.resolve();
    const own = before.then(logIn, logIn);
    last.set(address, own);
    const leave = () => {
      if (last.get(address) === own) last.delete(address);
    };
    own.then(leave, leave);
    return own;
  };
}
