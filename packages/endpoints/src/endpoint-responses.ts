import { document as builtIn } from '@rostergate/gateway-spec';
import type { SchemaObject } from './json-pointer.ts';

type Answers = Readonly<Record<string, SchemaObject>>;

/**
 * The answers of a contract and those that the gateway itself gives, by status. Where both answer with one status, the
 * answer has the media types of both.
 */
export function joinAnswers(contract: Answers, gateway: Answers, headers: SchemaObject): Answers {
  const joined: Record<string, SchemaObject> = {};
  for (const [status, answer] of Object.entries(contract)) {
    const own = gateway[status];
    joined[status] = own === undefined ? withHeaders(answer, headers) : joinTwo(answer, resolveAnswer(own), headers);
  }
  return { ...gateway, ...joined };
}

function joinTwo(answer: SchemaObject, own: SchemaObject, headers: SchemaObject): SchemaObject {
  const { content = {} } = answer as { content?: Readonly<Record<string, SchemaObject>> };
  const added = (own.content ?? {}) as Readonly<Record<string, SchemaObject>>;
  return {
    ...withHeaders(answer, { ...headers, ...(own.headers as SchemaObject | undefined) }),
    content: {
      ...content,
      ...Object.fromEntries(
        Object.entries(added).map(([type, media]) => [
          type,
          eitherMedia(content[type] as SchemaObject | undefined, media),
        ]),
      ),
    },
  };
}

function eitherMedia(theirs: SchemaObject | undefined, ours: SchemaObject): SchemaObject {
  if (theirs?.schema === undefined) return ours;
  return { schema: { anyOf: [theirs.schema, ours.schema] } };
}

function withHeaders(answer: SchemaObject, headers: SchemaObject): SchemaObject {
  return { ...answer, headers: answer.headers === undefined ? headers : { ...answer.headers, ...headers } };
}

/** The gateway's common answers are components of its own document. */
function resolveAnswer(answer: SchemaObject): SchemaObject {
  if (typeof answer.$ref !== 'string') return answer;
  const name = answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1);
  return (builtIn.components?.responses?.[name] ?? {}) as SchemaObject;
}
