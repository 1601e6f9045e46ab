import type { Page } from 'playwright-core';
import { httpMethods, type OpenApiDocument } from '../../../contract/src/spec/openapi-document.ts';

/** The summary of each endpoint and whether it needs a key, by `GET /path`. */
export type EndpointFacts = ReadonlyMap<string, string>;

const factsOf = (summary: string, needsKey: boolean) => `“${summary.trim()}” ${needsKey ? 'with a key' : 'for all'}`;

interface Definition {
  readonly path: string;
  readonly method?: string;
  readonly summary?: string;
  readonly enabled?: boolean;
  readonly requires_auth?: boolean;
}

/** Returns the enabled endpoints of endpoints.json or `/endpoints`. */
export function readDefinitions(endpoints: readonly Definition[]): EndpointFacts {
  return new Map(
    endpoints
      .filter(({ enabled }) => enabled !== false)
      .map(({ method = 'GET', path, summary = '', requires_auth = false }) => [
        `${method} ${path}`,
        factsOf(summary, requires_auth),
      ]),
  );
}

/** Returns the operations of an OpenAPI document. */
export function readDocument({ paths, security: usual = [] }: OpenApiDocument): EndpointFacts {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      httpMethods.flatMap((method): [string, string][] => {
        const operation = item[method];
        if (operation === undefined) return [];
        const { summary = '', security = usual } = operation;
        return [[`${method.toUpperCase()} ${path}`, factsOf(summary, security.length > 0)]];
      }),
    ),
  );
}

/** Returns the operations that Swagger UI shows. */
export async function readDocs(page: Page): Promise<EndpointFacts> {
  await page.waitForSelector('.opblock');
  const shown = await page.locator('.opblock').evaluateAll((all) =>
    all.map((block) => ({
      method: block.querySelector('.opblock-summary-method')?.textContent ?? '',
      path: block.querySelector('.opblock-summary-path')?.getAttribute('data-path') ?? '',
      summary: block.querySelector('.opblock-summary-description')?.textContent ?? '',
      needsKey: block.querySelector('.authorization__btn') !== null,
    })),
  );
  return toFacts(shown);
}

/** Returns the operations that ReDoc shows. */
export async function readRedoc(page: Page): Promise<EndpointFacts> {
  const sections = page.locator('[data-section-id^="operation/"]');
  await sections.first().waitFor();
  // ReDoc draws one operation after the other; the last one of the menu is drawn last.
  const inMenu = await page.locator('[data-item-id*="/operation/"]').count();
  await sections.nth(inMenu - 1).waitFor();
  const shown = await sections.evaluateAll((all) =>
    all.map((section) => ({
      method: section.querySelector('.http-verb')?.textContent?.toUpperCase() ?? '',
      path: section.querySelector('.http-verb + span')?.textContent ?? '',
      summary: section.querySelector('h2')?.textContent ?? '',
      needsKey: [...section.querySelectorAll('h5')].some((heading) => heading.textContent === 'Authorizations:'),
    })),
  );
  return toFacts(shown);
}

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly needsKey: boolean;
}

function toFacts(shown: readonly Shown[]): EndpointFacts {
  return new Map(shown.map(({ method, path, summary, needsKey }) => [`${method} ${path}`, factsOf(summary, needsKey)]));
}
