-- The address that a provider told at the last sign-in, so that a change of it there is seen.
alter table external_auths add column email text not null default '';

-- The address of an account with one link came from there.
update external_auths x set email = u.email
  from users u
  where u.id = x."user" and u.verified
    and (select count(*) from external_auths other where other."user" = u.id) = 1;

-- When somebody last signed in: prolonging a session does not change it.
alter table sessions add column signed_in timestamptz(3) not null default now();
update sessions set signed_in = created;
