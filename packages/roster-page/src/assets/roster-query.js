/** The fields that the table shows. */
const columnsShown =
  'StaffKey,StaffId,FirstName,LastName,Abbrev,Email,BgColor,TextColor,StaffClassification,StaffTypeKey,Fte,IsActive,PrimaryProfile';

/** The fields of each order of the page; the server orders ties. */
export const orders = {
  name: ['LastName', 'FirstName'],
  id: ['StaffId'],
  role: ['StaffClassification', 'StaffTypeKey'],
  fte: ['Fte'],
  state: ['IsActive'],
  profile: ['PrimaryProfile'],
};

const searched = ['FirstName', 'LastName', 'StaffId', 'Email'];
/** More words would exceed the API's limit for filters. */
const wordsMax = 6;

/** Returns the query options of a view, as pairs; the server filters, orders and counts. */
export function rosterOptions(view) {
  const filter = view.own ?? rosterFilter(view);
  return [
    ['$filter', filter],
    ['$orderby', orders[view.order].map((name) => name + (view.isDescending ? ' desc' : '')).join(',')],
    ['$select', columnsShown],
    ['$expand', 'Tags,Skillset'],
    ['$top', String(view.size)],
    ['$skip', String(view.part * view.size)],
    ['$count', 'true'],
  ].filter(([, value]) => value !== '');
}

const pagingOptions = ['$top', '$skip', '$count'];

/** Returns the query options of all pages of a view. */
export function fileOptions(view) {
  return rosterOptions(view).filter(([name]) => !pagingOptions.includes(name));
}

/** Returns the filter of a view. `tag` is a category and a name, or only a category. */
export function rosterFilter({ text = '', tag, skill, day, isActive }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax);
  const clauses = words.map((word) => {
    const anywhere = searched.map((name) => `contains(tolower(${name}),${odataText(word)})`).join(' or ');
    return words.length + Number(Boolean(tag || skill || day || isActive)) > 1 ? `(${anywhere})` : anywhere;
  });
  if (tag) {
    const [category, name] = tag;
    const within = name === undefined ? '' : ` and c/Tags/any(t:t/Name eq ${odataText(name)})`;
    clauses.push(`Tags/any(c:c/CategoryName eq ${odataText(category)}${within})`);
  }
  const skills = [skill && `s/TaskName eq ${odataText(skill)}`, day && `s/IsSkilled${day} eq true`].filter(Boolean);
  if (skills.length > 0) clauses.push(`Skillset/any(s:${skills.join(' and ')})`);
  if (isActive) clauses.push('IsActive eq true');
  return clauses.join(' and ');
}

/** Returns an OData string literal. */
export function odataText(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the URL of a request, with `$` unencoded in option names. */
export function addressOf({ url, query }) {
  return url + query.map(([name, value], i) => `${i ? '&' : '?'}${name}=${encodeURIComponent(value)}`).join('');
}

/** Returns a curl command for a POSIX shell, with the token in a variable. */
export function curlOf({ method = 'GET', url, query, accept, version, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const fields = [
    accept && `Accept: ${accept}`,
    version && `If-Match: ${version}`,
    body && 'Content-Type: application/json',
  ].filter(Boolean);
  const options = query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return [
    `curl ${method === 'GET' ? '-sSG' : `-sS -X ${method}`} ${quoted(url)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...fields.map((field) => `-H ${quoted(field)}`),
    ...options,
    ...(body ? [`--data-binary ${quoted(body)}`] : []),
  ].join(' \\\n  ');
}
