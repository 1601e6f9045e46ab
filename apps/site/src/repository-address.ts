/** The parts of package.json that name the repository. */
export interface NamedRepository {
  readonly repository?: string | { readonly url: string };
}

/**
 * Returns the address of the repository's files, without a final slash: from package.json, or from the workflow that
 * builds the site. Undefined in a checkout that does not know its repository.
 */
export function repositoryAddress(
  { repository }: NamedRepository,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = typeof repository === 'string' ? repository : repository?.url;
  if (named !== undefined) return named.replace(/^git\+/, '').replace(/\.git$/, '');
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  return server && name ? `${server}/${name}` : undefined;
}
