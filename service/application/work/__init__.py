"""Work that runs because time has passed: due times, tasks and the workers that do them."""
