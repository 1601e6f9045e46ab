/** How to run the proxy, in Markdown; the rest of the page is read out of what there is. */
export const running = `
Stands in front of a Staff Member API: callers hold keys of the proxy, the API sees one well-behaved caller for each of its
accounts. Settings and the keys file are in [configuration.md](configuration.md#staff-proxyjson), first steps in its
[README](../apps/staff-proxy/README.md).

## In front of the scheduling API

\`\`\`sh
rostergate-staff-proxy serve --upstream-url http://127.0.0.1:8020/v2 --keys-file proxy-keys.json
\`\`\`

In a checkout \`npm run -s staff-proxy --\` stands for \`rostergate-staff-proxy\`.

## In front of the vendor

\`\`\`sh
rostergate-staff-proxy serve --upstream-url https://api.example.com/v2 --upstream-form vendor --keys-file proxy-keys.json
\`\`\`

Callers meet the same contract. \`vendor\` is for the vendor alone: the scheduling API, and a proxy like this one, answer
what it adds with 400. Where the vendor has an operation in another form the proxy speaks that form to it, and to nobody else:

- **Company.** It is named in the query or in the body, as the vendor wants it, and is always that of the key.
- **Answers.** They hold what the contract has and nothing more: members of people that the vendor has besides, such as those
  of credentialing, stay with the proxy. A status is the contract's; what a change has made is read once more where the vendor
  does not tell it. Lists are rewritten person by person while they stream.
- **Identifiers.** The vendor takes any identifier of a person for the key. One that has not the form of its keys (a GUID) is
  looked up first, which is a request more, and is 404 unless it is the key.
- **What the vendor lacks** is 501 \`not_implemented\`, before it is asked: an operation that it does not have, \`If-Match\`, for
  it keeps no versions, and tags by \`TagKey\`.
`;
