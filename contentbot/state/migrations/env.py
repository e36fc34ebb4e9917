"""Alembic's entry: runs the migrations on the connection that `contentbot.state.database` hands over."""

from alembic import context

from contentbot.state.schema import metadata

connection = context.config.attributes["connection"]
if connection.dialect.name == "postgresql":
    # two processes that start at once must not create a table twice
    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7306182)")
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
