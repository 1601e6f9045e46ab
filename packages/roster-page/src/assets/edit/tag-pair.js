import { chooseFrom, labelled, offerChoices, select, textInput } from './fields.js';

/**
 * Returns the fields of a tag: its category, and its name in that category. The server validates both, so where not all
 * tags are known the reader can also type them.
 */
export function tagPair({ isComplete, categories, tags }, { labels, pointers, value, none }) {
  const namesIn = (category) => [...tags.values()].filter((tag) => tag.category === category).map(({ name }) => name);
  const [category, name] = isComplete
    ? [select([['', none ?? 'Choose']], ''), select([['', none ?? 'Choose']], '')]
    : ['category', 'name'].map((part) => textInput(value?.[part], { maxlength: '40', placeholder: none }));
  const update = () => {
    const known = namesIn(category.value);
    if (!isComplete) offerChoices(name, known);
    else chooseFrom(name, [['', none ?? 'Choose'], ...known.map((one) => [one, one])]);
  };
  if (isComplete)
    chooseFrom(category, [['', none ?? 'Choose'], ...categories.map((one) => [one, one])], value?.category);
  else offerChoices(category, categories);
  update();
  if (isComplete) name.value = value?.name ?? '';
  category.addEventListener('input', update);
  if (none === undefined) for (const control of [category, name]) control.required = true;
  return {
    nodes: [
      labelled(labels[0], category, { pointer: pointers?.[0] }),
      labelled(labels[1], name, { pointer: pointers?.[1] }),
    ],
    /** The tag; undefined for none. */
    read: () => {
      const pair = { category: category.value.trim(), name: name.value.trim() };
      return pair.category === '' && pair.name === '' ? undefined : pair;
    },
  };
}
