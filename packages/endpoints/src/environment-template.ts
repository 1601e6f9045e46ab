/** Values by name; an empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Text in which `${NAME}` stands for a variable of the environment, and `${NAME:-text}` for the text where there is none.
 * Undefined when it can be read; otherwise what is wrong with it, without repeating it.
 */
export function faultOfTemplate(text: string): string | undefined {
  return text.replaceAll(variable, '').includes('${')
    ? 'has a ${ that is not ${NAME} or ${NAME:-text}, with a name of letters, digits and _'
    : undefined;
}

/** Fills a template in; what it names and the environment lacks is listed. */
export function fillTemplate(text: string, env: Environment): { readonly value: string; readonly missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(variable, (_, name: string, fallback: string | undefined) => {
    const found = (Object.hasOwn(env, name) && env[name]) || fallback;
    if (found === undefined) missing.push(name);
    return found ?? '';
  });
  return { value, missing };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
