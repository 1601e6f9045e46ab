import { element } from '../../../pages/src/assets/dom.js';

export const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** Further skills are shown only in the person's panel. */
const skillsShown = 4;

/** Returns a person as a table row; the name opens the person's panel. */
export function personRow(person) {
  const { StaffKey, StaffId, Email, StaffClassification, StaffTypeKey, Fte, PrimaryProfile } = person;
  const name = element('button', { type: 'button', class: 'name', 'data-key': StaffKey }, nameOf(person));
  const email = element('span', { class: 'hint' }, Email ?? 'no e-mail');
  return element(
    'tr',
    { role: 'row' },
    cell(
      'who-cell',
      element('div', { class: 'person' }, avatar(person), element('div', { class: 'words' }, name, email)),
    ),
    cell('id-cell', StaffId),
    cell('role-cell', StaffClassification ?? '–', ' ', element('span', { class: 'hint' }, StaffTypeKey ?? '')),
    cell('fte-cell', Fte === null ? '–' : String(Fte)),
    cell('state-cell', stateMark(person)),
    cell('profile-cell', PrimaryProfile ?? '–'),
    cell('tags-cell', tagList(person.Tags)),
    cell('skills-cell', skillMarks(person.Skillset)),
  );
}

/** Returns placeholder rows while people load. */
export function skeletonRows(count) {
  const bar = () => element('span', { class: 'bone' });
  return Array.from({ length: count }, () =>
    element(
      'tr',
      { role: 'row', class: 'skeleton', 'aria-hidden': 'true' },
      ['who', 'id', 'role', 'fte', 'state', 'profile', 'tags', 'skills'].map((name) => cell(`${name}-cell`, bar())),
    ),
  );
}

export function nameOf({ FirstName, LastName }) {
  return [FirstName, LastName].filter(Boolean).join(' ') || '(no name)';
}

/** Returns the short name in the person's colours, with enough contrast. */
export function avatar({ Abbrev, BgColor, TextColor }) {
  const made = element('span', { class: 'avatar', 'aria-hidden': 'true' }, Abbrev ?? '?');
  const ground = channelsOf(BgColor);
  if (ground !== undefined) {
    const own = channelsOf(TextColor);
    const isReadable = own !== undefined && contrast(ground, own) >= 4.5;
    const better = contrast(ground, [0, 0, 0]) > contrast(ground, [255, 255, 255]) ? '#000' : '#fff';
    made.style.background = `rgb(${ground.join(' ')})`;
    made.style.color = isReadable ? `rgb(${own.join(' ')})` : better;
  }
  return made;
}

export function stateMark({ IsActive }) {
  return element('span', { class: IsActive ? 'mark good' : 'mark' }, IsActive ? 'Active' : 'Inactive');
}

/** Returns tags by category. */
export function tagList(categories, chip = (_category, { Name }) => element('span', { class: 'chip' }, Name)) {
  return element(
    'ul',
    { class: 'tags' },
    (categories ?? []).map(({ CategoryName, Tags }) =>
      element(
        'li',
        {},
        element('span', { class: 'category' }, CategoryName),
        Tags.map((tag) => [' ', chip(CategoryName, tag)]),
      ),
    ),
  );
}

function skillMarks(skillset) {
  const skills = skillset ?? [];
  const more = skills.length - skillsShown;
  return element(
    'ul',
    { class: 'skills' },
    skills.slice(0, skillsShown).map((skill) => {
      const days = weekDays.filter((day) => skill[`IsSkilled${day}`]);
      const label = days.length === 7 ? 'every day' : days.join(', ') || 'no day';
      const week = weekDays.map((day) => element('i', { class: days.includes(day) && 'on' }));
      return element(
        'li',
        {},
        element('span', {}, skill.TaskName),
        ' ',
        element('span', { class: 'week', role: 'img', 'aria-label': label, title: label }, week),
      );
    }),
    more > 0 && element('li', { class: 'hint' }, `and ${more} more`),
  );
}

function cell(name, ...content) {
  return element('td', { role: 'cell', class: name }, content);
}

/** Returns red, green and blue of a hexadecimal colour with three, six or eight digits; undefined for other texts. */
function channelsOf(color) {
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.exec(color ?? '') ?? [];
  if (digits === undefined) return undefined;
  const pairs = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(pairs.slice(at, at + 2), 16));
}

/** Contrast ratio of two colours (WCAG 2.2). */
function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(channels) {
  const [r, g, b] = channels.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
