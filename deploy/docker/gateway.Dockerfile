# The gateway. From the root of a checkout: docker build -f deploy/docker/gateway.Dockerfile -t rostergate/gateway .
FROM node:26-slim AS build
WORKDIR /workspace
COPY . .
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --workspace-root --filter "rostergate..." \
  && npx pnpm --filter "rostergate..." run build \
  && npx pnpm --filter "rostergate" deploy --prod /app

FROM node:26-slim
ENV NODE_ENV=production ROSTERGATE_HOST=0.0.0.0
COPY --from=build /app /app
WORKDIR /etc/rostergate
USER 1000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
