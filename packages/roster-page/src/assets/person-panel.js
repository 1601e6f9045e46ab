import { button, element } from '../../../pages/src/assets/dom.js';
import { send } from './api-session.js';
import { closePerson } from './close-person.js';
import { loadEditing } from './editing.js';
import { describeFailure } from './failure-view.js';
import { avatar, nameOf, stateMark, tagList, weekDays } from './people-table.js';
import { flagsOf, span, textOf } from './person-texts.js';
import { requestRow } from './request-view.js';

/** Opens a person in the panel; `onTag` finds all people with a tag, `onChanged` is called after each saved change. */
export async function openPerson(person, { onTag, onChanged }) {
  const panel = document.getElementById('person');
  const requests = element('ol', { class: 'requests' });
  const ask = async (path, init) => {
    try {
      const reply = await send(`staffmember/${encodeURIComponent(person.StaffKey)}${path}`, init);
      requests.append(requestRow(reply.request));
      return reply;
    } catch (failure) {
      if (failure.request) requests.append(requestRow(failure.request));
      throw failure;
    }
  };
  const content = element('div', { class: 'content' });
  const findAll = (tag) => {
    if (closePerson()) onTag(tag);
  };
  const picture = element('div');
  const name = element('h2', { id: 'person-name', tabindex: '-1' }, 'A person');
  const line = element('p', { class: 'hint' });
  const introduce = (one) => {
    picture.replaceChildren(avatar(one));
    name.textContent = nameOf(one);
    line.replaceChildren(one.StaffId, ' ', stateMark(one));
  };
  const readPerson = () => ask('', { query: [['includes', included]] });
  const readPayModifiers = () => ask('/payModifier');
  const reload = async () => {
    onChanged();
    await Promise.all([load(), ...sections.map((one) => one.reload())]);
  };
  const editing = loadEditing(person.StaffKey, { ask, readPerson, readPayModifiers, reload, onChanged });
  const offer = async (place, [what, shown]) => (await editing)?.[what](place, shown);
  const load = () =>
    fill(
      content,
      async () => {
        const { body, version } = await readPerson();
        introduce(body);
        return { nodes: describe(body, findAll), offered: ['offerPerson', { person: body, version }] };
      },
      offer,
    );
  const sections = onDemand.map((part) =>
    section(
      part,
      async () => {
        const { body, version } = await ask(part.path, { query: part.query });
        const nodes = body.map((one) => part.show(one, person.StaffKey));
        return {
          nodes,
          offered: part.path === '/payModifier' && ['offerPayModifiers', { payModifiers: body, version }],
        };
      },
      offer,
    ),
  );
  // An address can name a person who is not in the list.
  if (person.StaffId !== undefined) introduce(person);
  panel.replaceChildren(
    element('header', {}, picture, element('div', { class: 'words' }, name, line), button('Close', closePerson)),
    content,
    ...sections.map(({ details }) => details),
    element('h3', {}, 'API requests of this panel'),
    requests,
  );
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  name.focus();
  await load();
}

const included = 'Tags,Skillset,Profiles,AvailableProfiles,BadgeIds';

/** Sections that load when they are opened. */
const onDemand = [
  { title: 'Locations', path: '/location', query: [], show: locations },
  { title: 'Pay modifiers', path: '/payModifier', query: [], show: payModifiers },
  { title: 'Badges', path: '/badgeId', query: [], show: badges },
  { title: 'Request limits', path: '/requestlimit', query: [['includes', 'StaffLimits']], show: requestLimits },
];

function section({ title }, read, onFilled) {
  const content = element('div');
  const details = element('details', { class: 'more' }, element('summary', {}, title), content);
  let isLoaded = false;
  const load = () =>
    fill(
      content,
      async () => {
        const { nodes, ...rest } = await read();
        return { nodes: nodes.length === 0 ? [element('p', { class: 'hint' }, 'None.')] : nodes, ...rest };
      },
      onFilled,
    );
  details.addEventListener('toggle', () => {
    if (!details.open || isLoaded) return;
    isLoaded = true;
    load();
  });
  return { details, reload: () => (isLoaded ? load() : undefined) };
}

/** Loads the content of a place, which stays visible while it is loaded again, and then offers to edit it. */
async function fill(place, make, offer) {
  if (!place.hasChildNodes()) place.append(element('span', { class: 'bone' }), element('span', { class: 'bone' }));
  place.setAttribute('aria-busy', 'true');
  let made;
  try {
    made = await make();
    place.replaceChildren(...made.nodes);
  } catch (failure) {
    const onRetry = () => {
      place.replaceChildren();
      fill(place, make, offer);
    };
    if (failure.name !== 'AbortError') place.replaceChildren(describeFailure(failure, { onRetry }));
  }
  place.removeAttribute('aria-busy');
  if (made?.offered) await offer(place, made.offered);
}

/** Groups of a person's properties; the last matches all others. */
const groups = [
  ['Person', /^(FirstName|LastName|Abbrev|Staff(Id|Key|InternalId)|CompKey|BgColor|TextColor)$/],
  ['Contact', /Email|Phone|Pager|OtherNumber|Contact|^Addr|^City$|^State$|^Zip$/],
  [
    'Work',
    /^(StaffClassification|StaffTypeKey|Fte|RegHours|DailyUnitAverage|Manager|ManagerId|StartDate|EndDate|IsActive|Deact.*|IsAuto.*)$/,
  ],
  ['Pay and time clock', /^(Pay|Billing|TimeClock)/],
  ['Sign-in and profile', /Profile|Login|^Sso/],
  ['Other systems', /./],
];

function describe(person, findAll) {
  const left = new Map(
    Object.entries(person).filter(([name, value]) => !Array.isArray(value) && !collections.includes(name)),
  );
  const chip = (category, { Name, EffectiveFromDate: from, EffectiveToDate: to }) =>
    element(
      'span',
      { class: 'dated' },
      button(Name, () => findAll([category, Name]), { class: 'chip', title: `Find all with ${Name}` }),
      element('span', { class: 'hint' }, span(from, to)),
    );
  const { Tags = [], TTCMTags = [], Skillset = [], Profiles = [], AvailableProfiles = [] } = person;
  const tags = [...(Tags ?? []), ...(TTCMTags ?? [])];
  return [
    block('Tags', tags.length > 0 && tagList(tags, chip)),
    block('Skills by day', Skillset?.length > 0 && skillWeek(Skillset)),
    block('Profiles', Profiles?.length > 0 && profiles(Profiles, AvailableProfiles ?? [])),
    ...groups.map(([title, pattern]) => {
      const mine = [...left].filter(([name]) => pattern.test(name));
      for (const [name] of mine) left.delete(name);
      return block(title, fields(mine));
    }),
  ];
}

/** Null unless requested; empty for accounts that may not see them. */
const collections = ['Tags', 'TTCMTags', 'Skillset', 'Profiles', 'AvailableProfiles', 'BadgeIds'];

function block(title, content) {
  return element(
    'section',
    { 'data-part': title },
    element('h3', {}, title),
    content || element('p', { class: 'hint' }, 'None visible to this account.'),
  );
}

function fields(pairs) {
  const unset = pairs.filter(([, value]) => value === null || value === undefined).map(([name]) => name);
  const set = pairs.filter(([name]) => !unset.includes(name)).sort(byKind);
  return [
    set.length > 0 &&
      element(
        'dl',
        {},
        set.map(([name, value]) => [element('dt', {}, name), element('dd', {}, textOf(value))]),
      ),
    unset.length > 0 && element('p', { class: 'hint' }, `Not set: ${unset.join(', ')}`),
  ];
}

/** Orders names before identifiers, and those before keys. */
const byKind = ([a], [b]) => kindOf(a) - kindOf(b);

function kindOf(name) {
  if (name.endsWith('Key')) return 3;
  if (name.endsWith('Id')) return 2;
  return name.endsWith('Name') ? 0 : 1;
}

function skillWeek(skillset) {
  const head = weekDays.map((day) => element('th', { scope: 'col' }, day));
  const row = (skill) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, skill.TaskName),
      weekDays.map((day) => {
        if (!skill[`IsSkilled${day}`]) return element('td', {}, element('span', { class: 'unseen' }, 'no'));
        const often = skill[`${day}Occurrence`] ?? 'yes';
        const isWeekly = often === 'Weekly';
        return element(
          'td',
          { class: 'on', title: often },
          element('span', { class: isWeekly && 'unseen' }, isWeekly ? often : often.slice(0, 2)),
        );
      }),
    );
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Skills by day' },
    element(
      'table',
      { class: 'grid' },
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Task'), head)),
      element('tbody', {}, skillset.map(row)),
    ),
  );
}

function profiles(own, available) {
  const others = available.filter(({ ProfileKey }) => !own.some((one) => one.ProfileKey === ProfileKey));
  return [
    element(
      'dl',
      {},
      own.map((profile) => [element('dt', {}, profile.Name), element('dd', {}, flagsOf(profile))]),
    ),
    others.length > 0 &&
      element('p', { class: 'hint' }, `Other profiles of the company: ${others.map(({ Name }) => Name).join(', ')}`),
  ];
}

function item(title, marks, pairs, ...more) {
  return element(
    'div',
    { class: 'item' },
    element(
      'h4',
      {},
      title,
      marks.map((text) => [' ', element('span', { class: 'mark' }, text)]),
    ),
    fields(pairs),
    more,
  );
}

function locations({ Location, IsCredentialed, InactiveDate, Credentials, Tags }) {
  const { Name, Address, TimeZone, Notes, LocationKey } = Location;
  const credentials = Credentials.map(({ Name: name, ...rest }) => name ?? JSON.stringify(rest)).join(', ') || null;
  return item(
    Name,
    [IsCredentialed ? 'credentialed' : 'not credentialed'],
    Object.entries({ LocationKey, Address, TimeZone, Notes, InactiveDate, Credentials: credentials }),
    Tags.length > 0 && tagList(Tags),
  );
}

function payModifiers({
  PayModifierKey,
  StartDate,
  EndDate,
  IsPrimaryPosition,
  PayModifierTagKeys,
  CompanyKey: _,
  StaffMemberKey: __,
  ...rest
}) {
  const tags = PayModifierTagKeys.map(({ CategoryName, TagName }) => `${CategoryName}: ${TagName}`).join(', ') || null;
  return item(
    rest.PositionId ?? 'Any position',
    IsPrimaryPosition ? ['primary'] : [],
    Object.entries({ PayModifierKey, Valid: span(StartDate, EndDate), Tags: tags, ...rest }),
  );
}

function badges({ BadgeId, BadgeGroup }) {
  return item(BadgeId, BadgeGroup === null ? [] : [BadgeGroup], []);
}

function requestLimits(limit, staffKey) {
  const { Name, IsActive, Type, RecurringLength, StartDate, EndDate, ErrorMessage, StaffLimits } = limit;
  const perDay = weekDays.map((day) => [day, limit[`DailyTotalMaxAllowed${day}`]]).filter(([, most]) => most !== null);
  const own =
    (StaffLimits ?? [])
      .filter(({ StaffKey }) => StaffKey === staffKey)
      .map(
        (one) => `${one.StaffRequestLimit ?? 'unlimited'} by request, ${one.StaffTotalLimit ?? 'unlimited'} in total`,
      )
      .join('; ') || null;
  return item(
    Name,
    [IsActive ? 'active' : 'inactive'],
    Object.entries({
      Type,
      RecurringLength,
      Valid: span(StartDate, EndDate),
      MaxPerDay: perDay.map((pair) => pair.join(' ')).join(', ') || null,
      ThisPerson: own,
      ErrorMessage,
    }),
  );
}
