/** How to run the server, in Markdown; the rest of the page is read out of what there is. */
export const running = `
The Staff Member API over a database of its own: a file of SQLite as it comes, PostgreSQL when that is outgrown. Answers,
refusals and order are the same on both: the tests below run on either.

## Run it on SQLite

\`\`\`sh
export ROSTERGATE_SCHEDULING_DATABASE_FILE=staff.sqlite
rostergate-scheduling accounts add ops@example.org --company my-company --admin --generate > ops.password
rostergate-scheduling serve
\`\`\`

Log in for a token, and use it:

\`\`\`sh
TOKEN=$(curl -fsS http://127.0.0.1:8020/v2/login -d email=ops@example.org -d "password=$(cat ops.password)" | jq -r .access_token)
curl -fsS -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8020/v2/staffmember?companyKey=my-company&$top=5'
\`\`\`

In a checkout \`npm run -s scheduling --\` stands for \`rostergate-scheduling\`. The file is made when it is missing. A write is
on the disk before it is answered, and kept when the process is killed. One server holds a file; commands may run beside it.

## Run it on PostgreSQL

PostgreSQL with ICU, as its packages have it. Text is compared by code point whatever the order of the database is.

\`\`\`sh
psql -c "CREATE ROLE rostergate LOGIN PASSWORD 'a-password'"
createdb --owner rostergate --encoding UTF8 --template template0 staff
export DATABASE_URL=postgres://rostergate:a-password@127.0.0.1:5432/staff
rostergate-scheduling migrate
rostergate-scheduling accounts add ops@example.org --company my-company --admin --generate > ops.password
rostergate-scheduling serve
\`\`\`

- **URL.** \`ROSTERGATE_SCHEDULING_DATABASE_URL\`, or \`DATABASE_URL\` where that is not set, or \`database_url\` in
  \`scheduling.json\`; never an option, for a command line is shown to every user of the machine.
- **Tables.** \`migrate\` brings them to the shape of this version, and so does every start; of several at once one does it.
  \`migrate --check\` changes nothing and ends with 1 while something is to be done.
- **Connections.** Several servers may share a database, each with up to \`database_connections_max\` connections.
- **Costly queries.** PostgreSQL ends a statement after \`statement_timeout_ms\`; the caller is answered with 400
  \`query_too_costly\`.
- **Outages.** While the database is away, or gives no response within \`statement_timeout_ms\`, requests are answered with
  503 and \`Retry-After\`, \`/health/ready\` with 503; \`/health/live\` stays 200. Once it is back the server goes on by itself.
- **Upgrades.** Servers of the version before may go on beside the new ones until they are replaced. They cannot be started
  again once the tables are brought to the new shape.

## Accounts, people, copies

\`\`\`sh
rostergate-scheduling accounts list
rostergate-scheduling accounts disable ops@example.org
rostergate-scheduling seed --companies 1 --staff 1000 --company-key made-up            # made-up people, to try things out
rostergate-scheduling import roster.csv --company my-company --create-tags --dry-run   # names every bad row
rostergate-scheduling import roster.csv --company my-company --create-tags
rostergate-scheduling audit list --company my-company
rostergate-scheduling backup staff-monday.bak
\`\`\`

\`backup\` writes a copy of one moment while others serve and write. On SQLite it is a database that a server can be started
on. On PostgreSQL it is an archive of \`pg_dump\`, which has to be on the PATH: \`createdb staff && pg_restore --no-owner --dbname
staff staff-monday.bak\` restores it. Restore with no server running.
`;
