-- Whose site it was: nobody else may take its public address, or that of its business. Empty for those removed before.
alter table removed_places add column business text collate "C" not null default '';
create index removed_places_business on removed_places (business) where business <> '';
