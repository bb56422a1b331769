alter table sites add column photo_categories jsonb not null default 'null';
