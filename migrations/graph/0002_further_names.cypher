// Nodes are found by other names too: _trellis_also holds keys of spellings, _trellis_aliases the
// names in other properties. Full-text search forgives typos in those as well.
CREATE FULLTEXT INDEX _trellis_also IF NOT EXISTS
FOR (n:_TrellisNamed) ON EACH [n._trellis_also]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}};

DROP INDEX _trellis_text IF EXISTS;

CREATE FULLTEXT INDEX _trellis_text IF NOT EXISTS
FOR (n:_TrellisNamed) ON EACH [n._trellis_key, n._trellis_aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}};
