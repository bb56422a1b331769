#!/bin/sh
# Creates .env for compose.yaml with new passwords, and for a trial a certificate that only this installation trusts.
# Keeps existing files.
set -eu
umask 077
cd "$(dirname "$0")"
if [ ! -e .env ]; then
  {
    cat example.env
    echo
    for name in DATABASE_PASSWORD STORE_SECRET OIDC_CLIENT_SECRET METRICS_TOKEN KEYCLOAK_PASSWORD; do
      echo "$name=$(openssl rand -hex 32)"
    done
  } >.env
fi
if [ ! -e tls/cert.pem ]; then
  name=$(sed -n 's/^DOMAIN=//p' .env)
  login=$(sed -n 's/^LOGIN_DOMAIN=//p' .env)
  mkdir -p tls
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 \
    -subj "/CN=$name" -addext "subjectAltName=DNS:$name${login:+,DNS:$login}" \
    -keyout tls/key.pem -out tls/cert.pem
  chmod 755 tls && chmod 644 tls/cert.pem
fi
