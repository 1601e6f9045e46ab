export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Takes what is secret out of the environment of the process, where any code and every child could read it, and gives
 * a copy that still has it, for the readings to come.
 */
export function takeSecrets(env: Record<string, string | undefined>, names: readonly string[]): Environment {
  const copy = Object.freeze({ ...env });
  for (const name of names) delete env[name];
  return copy;
}
