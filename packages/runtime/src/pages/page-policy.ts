const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The header that lets a page load this server's own files alone: nothing inline, nothing from elsewhere, `but` this. */
export function createPagePolicy(but: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const all = Object.entries({ ...directives, ...but }).map(([name, allowed]) => `${name} ${allowed}`);
  return { 'Content-Security-Policy': all.join('; ') };
}
