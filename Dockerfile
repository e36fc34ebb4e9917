# One image for every part: the scheduler, the MCP server, and the commands.

FROM python:3.11-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/contentbot
ENV PATH=/opt/contentbot/bin:$PATH

# first what seldom changes: an edit of the code does not install the dependencies again
COPY pyproject.toml constraints.txt README.md LICENSE ./
RUN mkdir -p contentbot mcp_server && touch contentbot/__init__.py mcp_server/__init__.py \
    && pip install --constraint constraints.txt '.[metrics]' \
    && pip uninstall --yes contentbot \
    && rm -r contentbot mcp_server

COPY sources ./sources
COPY contentbot ./contentbot
COPY mcp_server ./mcp_server
RUN pip install --no-deps . && python -m compileall -q /opt/contentbot/lib


FROM python:3.11-slim-bookworm

ENV PATH=/opt/contentbot/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    CONTENTBOT_SOURCES_DIR=/srv/sources \
    CONTENTBOT_DATA_DIR=/data

# the folders belong to the user, so that new volumes that are mounted there do, too
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin contentbot \
    && install -d -o contentbot -m 0755 /srv/sources \
    && install -d -o contentbot -m 0700 /data /run/keys/search /run/keys/write

COPY --from=build /opt/contentbot /opt/contentbot

USER 10001
WORKDIR /srv
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=4 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
CMD ["python", "-m", "mcp_server", "--http", "--host", "0.0.0.0"]
