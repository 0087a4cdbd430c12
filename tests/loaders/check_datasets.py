# packages: datasets==5.2.0
# formats: hub
"""The folder as a dataset of the hub: every configuration, with its splits and types, and to Parquet and back."""

import datasets
from shared import EXPORTS, REFERENCES, rows

folder = EXPORTS / "hub"
assert datasets.get_dataset_config_names(str(folder)) == ["tasks", "gold", "train"]
for config in ("tasks", "gold", "train"):
    loaded = datasets.load_dataset(str(folder), config)
    assert sorted(loaded) == sorted(file.stem for file in (folder / config).glob("*.jsonl")), loaded
    ids = [task for split in loaded.values() for task in split["instance_id"]]
    assert sorted(ids) == sorted(REFERENCES), config
    for side, split in loaded.items():
        written = rows(folder / config / f"{side}.jsonl")
        assert split.to_list() == written, f"{config}/{side}: the rows are not those of the file"
        parquet = EXPORTS / f"{config}-{side}.parquet"
        split.to_parquet(str(parquet))
        again = datasets.load_dataset("parquet", data_files=str(parquet), split="train")
        assert again.features == split.features and again.to_list() == written, f"{config}/{side}: Parquet"
    print(f"{config}: {len(ids)} rows in {', '.join(loaded)}, the same through Parquet")
assert datasets.load_dataset(str(folder))["train"].features == datasets.load_dataset(str(folder), "tasks")["train"].features
