import { createCsdl } from '@rostergate/odata';
import { replyTagged, tagText } from '@rostergate/pages';
import type { Context, Handlers } from '@rostergate/server';
import { entityModel, staffMemberType } from '../entity-model.ts';
import { odataVersionFor } from '../odata-root/odata-version.ts';
import { rootUrlFor } from '../odata-root/root-url.ts';
import { mediaRanges } from './media-ranges.ts';

/** The entity set of people, which `@odata.context` of a list names. */
export const staffMembersSet = 'StaffMembers';

interface MetadataRequest {
  readonly query: { readonly $format?: string };
}

/** Returns the handlers of the service document and of `$metadata`, whose bytes are built here once. */
export function createMetadataHandlers(): Handlers {
  const { json, xml } = createCsdl(entityModel, {
    namespace: 'Rostergate.Staff',
    container: 'StaffService',
    entitySets: [{ name: staffMembersSet, type: staffMemberType }],
    keys: {
      [staffMemberType]: ['StaffKey'],
      StaffTag: ['CategoryKey'],
      StaffSkillset: ['TaskKey'],
      StaffProfile: ['ProfileKey'],
      BadgeId: ['BadgeId'],
    },
  });
  const set = { name: staffMembersSet, kind: 'EntitySet', url: staffMembersSet };
  const jsonText = tagText(JSON.stringify(json), 'application/json');
  const xmlTexts = { '4.0': tagText(xml('4.0'), 'application/xml'), '4.01': tagText(xml('4.01'), 'application/xml') };

  return {
    getServiceDocument(_: unknown, { req }: Context) {
      const service = JSON.stringify({ '@odata.context': `${rootUrlFor(req)}$metadata`, value: [set] });
      const headers = { Vary: 'OData-MaxVersion, OData-Version', 'OData-Version': odataVersionFor(req.headers) };
      return replyTagged(tagText(service, 'application/json'), req, headers);
    },
    getMetadata: ({ query: { $format: format } }: MetadataRequest, { req }: Context) => {
      const version = odataVersionFor(req.headers);
      const isJson = format === undefined ? prefersJson(req.headers.accept) : format.endsWith('json');
      // CSDL JSON has no version 4.0.
      const headers = { Vary: 'Accept, OData-MaxVersion, OData-Version', 'OData-Version': isJson ? '4.01' : version };
      return replyTagged(isJson ? jsonText : xmlTexts[version], req, headers);
    },
  };
}

/** Returns whether Accept prefers JSON to XML, which is the default (OData protocol 4.01, section 11.1.2). */
function prefersJson(accept: string | undefined): boolean {
  const ranges = mediaRanges(accept);
  const weightOf = (name: string) => Math.max(0, ...ranges.map(({ type, weight }) => (type === name ? weight : 0)));
  return weightOf('application/json') > weightOf('application/xml');
}
