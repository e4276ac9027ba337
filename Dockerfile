FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/hoodwink
COPY . .
RUN /opt/hoodwink/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock \
    && /opt/hoodwink/bin/pip install --no-cache-dir --no-deps --no-build-isolation . ./wheels/service ./clients/python

FROM python:3.12-slim
# A volume mounted on one of these folders takes its owner over.
RUN useradd --system --create-home --home-dir /var/lib/hoodwink hoodwink \
    && install --directory --owner=hoodwink --mode=700 /var/lib/hoodwink/data /var/lib/hoodwink/archive
COPY --from=build /opt/hoodwink /opt/hoodwink
USER hoodwink
WORKDIR /var/lib/hoodwink
ENV PATH=/opt/hoodwink/bin:$PATH \
    HOODWINK_DATA=/var/lib/hoodwink/data \
    HOODWINK_HOST=0.0.0.0
EXPOSE 8000
# Alone it is the whole service with its embedded Redis; compose asks for one part at a time.
CMD ["hoodwink", "run"]
