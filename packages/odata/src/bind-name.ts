import type { AnnotationSegment, NameSegment } from './ast.ts';
import { unknownProperty, unsupported } from './bind-faults.ts';
import { didYouMean } from './did-you-mean.ts';
import { type EntityModel, type PropertyModel, propertyOf, structuredType, visibleNames } from './model.ts';
import { ODataError } from './odata-error.ts';

/** The property that a segment of $select or $expand names. */
export function namedProperty(
  segment: NameSegment | AnnotationSegment,
  typeName: string,
  model: EntityModel,
  use: 'selectable' | 'expandable',
): PropertyModel {
  if (segment.kind === 'annotation') return unsupported('An annotation', segment.offset);
  const type = structuredType(model, typeName);
  const property = propertyOf(type, segment.name);
  const allowed = use === 'selectable' ? property?.selectable !== false : property?.expandable === true;
  if (property !== undefined && allowed) return property;
  if (property !== undefined) {
    const verb = use === 'selectable' ? 'selected' : 'expanded';
    throw new ODataError('property_not_allowed', `${segment.name} cannot be ${verb}.`, { offset: segment.offset });
  }
  if (segment.name.includes('.')) return unsupported('A type cast in a path', segment.offset);
  const names = visibleNames(type).filter((name) => use === 'selectable' || type.properties[name]?.expandable === true);
  const message = `${typeName} has no property ${segment.name}`;
  return unknownProperty(message, segment.offset, didYouMean(segment.name, names));
}
