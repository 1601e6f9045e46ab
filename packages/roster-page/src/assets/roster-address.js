import { weekDays } from './people-table.js';
import { orders } from './roster-query.js';

/** A view without filters. */
export const noFilter = { text: '', tag: undefined, skill: '', day: '', isActive: false, own: undefined };

const sizes = [10, 25, 50, 100];
const sizeUsual = 25;
const partMax = 1e6;

/** Returns the fragment of the address for a view. Servers never receive it, because it may contain names. */
export function fragmentOf({ companyKey, own, order, isDescending, part, size, person, ...fields }) {
  const { text, tag = [], skill, day, isActive } = fields;
  const filters = [
    ['text', text.trim()],
    ...tag.map((name) => ['tag', name]),
    ['skill', skill],
    ['day', day],
    ['active', isActive && 'yes'],
  ];
  const pairs = [
    ['companyKey', companyKey],
    ...(own ? [['filter', own]] : filters),
    ['order', order !== 'name' && order],
    ['descending', isDescending && 'yes'],
    ['page', part > 0 && part + 1],
    ['size', size !== sizeUsual && size],
    ['person', person],
  ];
  return String(new URLSearchParams(pairs.filter(([, value]) => value)));
}

/** Reads the view of a fragment. Anybody can write one: what it does not know becomes the default. */
export function viewOf(fragment) {
  const found = new URLSearchParams(fragment.replace(/^#/, ''));
  const [size, page] = [Number(found.get('size')), Number(found.get('page'))];
  const tag = found.getAll('tag').filter(Boolean).slice(0, 2);
  return {
    text: (found.get('text') ?? '').slice(0, 100),
    tag: tag.length > 0 ? tag : undefined,
    skill: found.get('skill') ?? '',
    day: weekDays.find((day) => day === found.get('day')) ?? '',
    isActive: found.has('active'),
    own: found.get('filter') || undefined,
    order: Object.hasOwn(orders, found.get('order')) ? found.get('order') : 'name',
    isDescending: found.has('descending'),
    part: Number.isInteger(page) && page > 0 ? Math.min(page, partMax) - 1 : 0,
    size: sizes.includes(size) ? size : sizeUsual,
    person: found.get('person') || undefined,
    companyKey: found.get('companyKey') ?? '',
  };
}
