# The scheduling API. From the root of a checkout: docker build -f deploy/docker/scheduling.Dockerfile -t rostergate/scheduling .
FROM node:26-slim AS build
WORKDIR /workspace
COPY . .
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --workspace-root --filter "@rostergate/scheduling..." \
  && npx pnpm --filter "@rostergate/scheduling..." run build \
  && npx pnpm --filter "@rostergate/scheduling" deploy --prod /app

FROM node:26-slim
ENV NODE_ENV=production ROSTERGATE_SCHEDULING_HOST=0.0.0.0
COPY --from=build /app /app
# The folder of the SQLite file, unless PostgreSQL is configured.
RUN install -d -o 1000 -g 1000 /var/lib/rostergate
WORKDIR /var/lib/rostergate
USER 1000
EXPOSE 8020
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8020/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
