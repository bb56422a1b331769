-- The words of a place stand in its row: a search orders what it finds by power, and reads no documents for that. The code
-- that runs after this fills them (decision 0124).
alter table places add column words tsvector not null default '';
create index places_words on places using gin (words) with (fastupdate = off);
alter table place_docs drop column words, drop column city_words;
