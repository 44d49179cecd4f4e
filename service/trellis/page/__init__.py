"""The page at `/`: plain files, served as they stand (`api/page.py`).

`index.html` is the page; `static` holds its styles, its scripts (ES modules) and what is vendored.

Used by the service alone.
"""
