/** What a person of the table takes of the API. */
const columnsShown =
  'StaffKey,StaffId,FirstName,LastName,Abbrev,Email,BgColor,TextColor,StaffClassification,StaffTypeKey,Fte,IsActive,PrimaryProfile';

/** What each order of the page compares by; ties of all are ordered by the server. */
const orders = {
  name: ['LastName', 'FirstName'],
  id: ['StaffId'],
  role: ['StaffClassification', 'StaffTypeKey'],
  fte: ['Fte'],
  state: ['IsActive'],
  profile: ['PrimaryProfile'],
};

const searched = ['FirstName', 'LastName', 'StaffId', 'Email'];
/** So many fit within what the API takes of a filter. */
const wordsMax = 6;

/** The query options of a view, as pairs; everything is found, ordered and counted by the server. */
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

/** `tag` is a category and a name, or a category alone. */
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

/** A string of OData: a quote within it is doubled. */
export function odataText(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The address of a request; names of options keep their dollar. */
export function addressOf({ url, query }) {
  return url + query.map(([name, value], i) => `${i ? '&' : '?'}${name}=${encodeURIComponent(value)}`).join('');
}

/** A line for a POSIX shell that makes the same request; the token is left to a variable. */
export function curlOf({ url, query }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const options = query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return [`curl -sSG ${quoted(url)}`, '-H "Authorization: Bearer $TOKEN"', ...options].join(' \\\n  ');
}
