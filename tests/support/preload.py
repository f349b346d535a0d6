"""Imports what the apps of the tests are made of, before they are forked (`tests.support.apps`): a
dashboard is made, used and thrown away.
"""

import os
import tempfile
from pathlib import Path

import plotly.graph_objects as go

import app
from tests.support import fake_vision, serve, viewer_app

# what the test that comes first has set is not for the apps of others
for _name in [name for name in os.environ if name.startswith("HALLASCOPE_")]:
    del os.environ[_name]
ALONE = (serve, viewer_app)

with tempfile.TemporaryDirectory() as _folder:  # much is imported only where it is used
    _services = fake_vision.build(Path(_folder))
    app.create_app(_services)
    fake_vision.drawn(_services, "fig")
    go.Figure(go.Bar(x=[1], y=[1])).to_json()
    _services.store.close()
