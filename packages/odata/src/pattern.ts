/** Placeholder until the linear-time matcher. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u');
  return (text) => expression.test(text);
}
