import { OData } from '@odata/client';

type Client = ReturnType<typeof OData.New4>;

interface Person {
  readonly StaffId: string;
  readonly FirstName: string;
  readonly StartDate: string;
  readonly Fte: number;
  readonly Tags?: readonly { readonly Tags: readonly { readonly Name: string }[] }[];
}

/** Reads the people of a scheduling server with `@odata/client`. */
export async function readWithNpmClient(root: string, token: string) {
  const client = connect(root, token);
  const people = client.getEntitySet<Person>('StaffMembers');
  const gold = client.newOptions<Person>().filter("Tags/any(t:t/Tags/any(e:e/Name eq 'Gold'))");
  const expand = "Tags($filter=CategoryName eq 'Colour';$select=CategoryName,Tags)";
  const [one] = await people.query(client.newOptions().filter("StaffId eq 'I-01'").expand(expand));
  const { FirstName, StartDate, Fte } = await people.retrieve('k2');
  return {
    ...(await readMetadata(client)),
    filtered: (await people.query(gold.orderby('StaffId', 'desc'))).map(({ StaffId }) => StaffId),
    counted: await people.count(client.newFilter().property('Fte').lt(1)),
    count: await people.count(),
    pages: await readPages(connect(root, token, { Prefer: 'odata.maxpagesize=10' })),
    tags: one?.Tags?.flatMap(({ Tags }) => Tags.map(({ Name }) => Name)),
    person: [FirstName, StartDate, Fte],
    missing: await messageOf(people.retrieve('nobody')),
    invalid: await messageOf(people.query(client.newOptions().filter('Nobody eq 1'))),
  };
}

/** Returns the message with which the client reports the error of a list. */
export const listErrorOf = (root: string, token: string): Promise<string> =>
  messageOf(connect(root, token).getEntitySet('StaffMembers').query());

function connect(root: string, token: string, headers: Readonly<Record<string, string>> = {}): Client {
  const commonHeaders = { Authorization: `Bearer ${token}`, ...headers };
  return OData.New4({ serviceEndpoint: root, commonHeaders });
}

async function readMetadata(client: Client) {
  // biome-ignore lint/suspicious/noExplicitAny: the client has no type for metadata.
  const metadata = (await client.newRequest({ collection: '$metadata' })) as any;
  const [namespace, container] = metadata.$EntityContainer.split(/\.(?=[^.]*$)/);
  const { $Kind: _, ...sets } = metadata[namespace][container];
  const type = metadata[namespace][sets.StaffMembers.$Type.slice(namespace.length + 1)];
  return { sets: Object.keys(sets), key: type.$Key, dateType: type.StartDate.$Type };
}

/** Follows the links from page to page; returns the number of people on each. */
async function readPages(client: Client): Promise<number[]> {
  const sizes: number[] = [];
  let next: string | undefined = 'StaffMembers?$orderby=LastName';
  while (next !== undefined) {
    const page: Page = await client.newRequest<Person>({ collection: next });
    sizes.push(page.value?.length ?? 0);
    next = page['@odata.nextLink'];
  }
  return sizes;
}

interface Page {
  readonly value?: readonly Person[];
  readonly '@odata.nextLink'?: string;
}

function messageOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => 'no error',
    ({ message }: Error) => message,
  );
}
