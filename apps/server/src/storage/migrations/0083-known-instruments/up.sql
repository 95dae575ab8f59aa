-- What exchanges have listed, also after they took it off their lists. Why: notes.md.

create table known_instruments (
  platform smallint not null check (platform between 1 and 3),
  symbol_type text not null check (symbol_type in ('SPOT', 'SWAP')),
  symbol text not null,
  facts jsonb not null,
  primary key (platform, symbol_type, symbol)
);
