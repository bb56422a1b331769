-- What was asked within a minute, counted for all processes of the database. Unlogged: a count need
-- not outlive a crash, and writing it waits for no disk.
create unlogged table rate_counts (
  key text collate "C" primary key,
  started timestamptz not null,
  used int not null
);

-- Takes up to `wanted` of the `most` that a key may have within `seconds`, counted from its first.
-- Atomic, so that all processes together are never granted more.
create function take_tokens(
  of_key text, wanted int, most int, seconds float8,
  out granted int, out used int, out left_s float8, out started timestamptz)
language sql as $$
  insert into rate_counts as c (key, started, used) values (of_key, now(), wanted)
  on conflict (key) do update set
    started = case when c.started <= now() - make_interval(secs => seconds) then now() else c.started end,
    used = wanted + case
      when c.started <= now() - make_interval(secs => seconds) then 0 else least(c.used, most) end
  returning greatest(0, least(wanted, most - (c.used - wanted))), c.used,
    extract(epoch from c.started - now())::float8 + seconds, c.started
$$;
