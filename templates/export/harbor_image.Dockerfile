# The image that the environments of all tasks start from: the program and its Python package, from a wheel beside this file.
FROM python:3.12-slim
COPY *.whl /tmp/
RUN pip install --no-cache-dir /tmp/*.whl && rm /tmp/*.whl
WORKDIR /workspace
