-- Checked at the end of a transaction: with a business go its tariffs, and its connectors by way of its sites, in any order.
alter table connectors
  add column tariff text collate "C" references tariffs deferrable initially deferred;
create index connectors_tariff on connectors (tariff) where tariff is not null;

-- Unique among the records of one owner (server/db/declared-code.ts).
create index sites_reference on sites (reference) where reference <> '';
create index connectors_reference on connectors (reference) where reference <> '';
