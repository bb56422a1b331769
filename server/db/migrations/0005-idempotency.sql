-- The first answer to each write that came with an Idempotency-Key, noted in the transaction of
-- the write. A row that is seen is complete: who notes a key first, answers it.
create table idempotency_keys (
  id bigint generated always as identity primary key,
  key text collate "C" not null,
  "user" text collate "C" references users on delete cascade,
  superuser text collate "C" references _superusers on delete cascade,
  -- Of what was asked: the same key with another request is refused.
  fingerprint text collate "C" not null,
  status smallint,
  body text,
  etag text,
  created timestamptz(3) not null default now(),
  constraint idempotency_keys_of_one check (num_nonnulls("user", superuser) = 1),
  constraint idempotency_keys_key unique nulls not distinct (key, "user", superuser)
);
create index idempotency_keys_user on idempotency_keys ("user");
create index idempotency_keys_superuser on idempotency_keys (superuser);
create index idempotency_keys_created on idempotency_keys (created);
