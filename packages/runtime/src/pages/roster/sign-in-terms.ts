import {
  type OpenApiDocument,
  type ParameterObject,
  type RequestBodyObject,
  resolveReference,
} from '../../contract/index.ts';

/** What the contract of a server says of signing in and of whose roster is asked for. */
export interface SignInTerms {
  /** Where the contract's paths begin, relative to the server's root. */
  readonly base: string;
  readonly needsCompany: boolean;
  /** What stands for an account here, such as an e-mail address or the name of a key. */
  readonly account: string;
  readonly password: string;
}

/** Reads them out of the document that the server serves: the same page then fits an API and a proxy before it. */
export function readSignInTerms(document: OpenApiDocument): SignInTerms {
  const { parameters = [] } = document.paths['/staffmember']?.get ?? {};
  const company = parameters
    .map((parameter) => resolveReference<ParameterObject>(document, parameter))
    .find(({ name }) => name === 'companyKey');
  const body = document.paths['/login']?.post?.requestBody ?? { content: {} };
  const { schema = {} } = resolveReference<RequestBodyObject>(document, body).content['application/json'] ?? {};
  const { properties = {} } = resolveReference<{ properties?: Properties }>(document, schema as object);
  const describe = (name: string, otherwise: string) => (properties[name]?.description ?? otherwise).replace(/\.$/, '');
  return {
    base: (document.servers?.[0]?.url ?? '').replace(/^\//, ''),
    needsCompany: company?.required === true,
    account: describe('email', 'E-mail address'),
    password: describe('password', 'Password'),
  };
}

type Properties = Readonly<Record<string, { readonly description?: string }>>;
