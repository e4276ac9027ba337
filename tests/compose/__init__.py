"""Dockerfile and docker-compose.yml with real containers: the image is built, people play, containers are killed."""
