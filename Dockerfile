# Three stages build, the last runs: Node, the program and its packages, without a shell, npm and the system.
# The tag is the Node pinned in scripts/bootstrap/pinned-node.mjs; update both together.
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund

FROM packages AS build
COPY . .
# For `driveqr --version`: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN node --experimental-strip-types --disable-warning=ExperimentalWarning scripts/build.ts
# Fills the compile cache, because a start cannot write it to a read-only root. Node has a cache per user,
# so this runs as the user of the service, who can later read but not change it.
RUN mkdir dist/compile-cache && chown 10001:10001 dist/compile-cache
USER 10001:10001
RUN node dist/driveqr.js --help > /dev/null && DATA_DIR=/tmp/data node dist/driveqr.js doctor
USER root
RUN chmod -R a+rX dist/compile-cache

FROM packages AS pruned
# Binaries for other platforms and other ways of loading, and sources.
RUN find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
 && rm -r node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules/@hyzyla/pdfium/dist -type f ! -name index.esm.js ! -name pdfium.wasm -delete
# The largest packages that are in the built programs already, and what built them.
RUN cd node_modules && rm -r esbuild @esbuild @formatjs @aws-sdk @smithy @simplewebauthn @peculiar react-dom zod kysely hono
# What the last stage has of the system: Node, and the C libraries that it and the native packages load.
# `driveqr` is a script of Node, because there is no shell.
RUN mkdir /system /owned && mkdir --parents /system/usr/local/bin \
 && ln -s /app/scripts/bootstrap/image.mjs /system/usr/local/bin/driveqr && mkdir --mode=1777 /system/tmp && mkdir --mode=700 /owned/data \
 && for file in /usr/local/bin/node $(find node_modules -name '*.node'); do ldd "$file"; done \
  | sed -n 's#.*\s\(/lib\S*\) (.*#\1#p' | sort -u > /libraries \
 && cp --parents --dereference $(cat /libraries) /usr/local/bin/node /etc/nsswitch.conf /system

FROM scratch
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2 MIMALLOC_PURGE_DELAY=0
COPY --from=pruned /system /
COPY --from=pruned --chown=10001:10001 /owned /
COPY --from=pruned /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/package.json ./
COPY --from=build /app/scripts/bootstrap/image.mjs /app/scripts/bootstrap/server.mjs ./scripts/bootstrap/
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["driveqr"]
CMD ["start"]
