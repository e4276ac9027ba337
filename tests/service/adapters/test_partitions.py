import pytest

from hoodwink.service.adapters.redis.partitions import PartitionsChanged, hold_partitions


def test_the_first_number_of_partitions_is_permanent(client):
    hold_partitions(client=client, partitions=16)
    hold_partitions(client=client, partitions=16)
    with pytest.raises(PartitionsChanged, match="HOODWINK_PARTITIONS=16"):
        hold_partitions(client=client, partitions=8)
    hold_partitions(client=client, partitions=16)
